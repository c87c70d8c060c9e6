#!/usr/bin/env python3
"""Asks a window of the display to close, as the button in its frame does: `close.py ID`."""

import ctypes
import os
import sys

CLIENT_MESSAGE = 33
x11 = ctypes.CDLL("libX11.so.6")
x11.XOpenDisplay.restype = ctypes.c_void_p


class Message(ctypes.Structure):
    """XClientMessageEvent, within the room of an XEvent."""

    _fields_ = [
        ("type", ctypes.c_int),
        ("serial", ctypes.c_ulong),
        ("send_event", ctypes.c_int),
        ("display", ctypes.c_void_p),
        ("window", ctypes.c_ulong),
        ("message_type", ctypes.c_ulong),
        ("format", ctypes.c_int),
        ("data", ctypes.c_long * 5),
        ("rest", ctypes.c_long * 12),
    ]


display = ctypes.c_void_p(x11.XOpenDisplay(os.environ["DISPLAY"].encode()))
atom = lambda name: x11.XInternAtom(display, name, 0)
window = int(sys.argv[1])
message = Message(CLIENT_MESSAGE, 0, 1, None, window, atom(b"WM_PROTOCOLS"), 32)
message.data[0] = atom(b"WM_DELETE_WINDOW")
x11.XSendEvent(display, ctypes.c_ulong(window), 0, ctypes.c_long(0), ctypes.byref(message))
x11.XSync(display, 0)
