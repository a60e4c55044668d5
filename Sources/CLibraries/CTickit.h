#pragma once
#include <tickit.h>
#include <tickit-mockterm.h>
