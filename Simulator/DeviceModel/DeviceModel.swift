import Watch
