#pragma once
#include <unibilium.h>
