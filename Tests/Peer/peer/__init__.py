"""A phone for Tapline's watch that shares no code with Tapline.

It is written from Sources/WatchLink/PROTOCOL.md alone, on Google Bumble, which shares none with BlueZ.
"""
