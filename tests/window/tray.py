#!/usr/bin/env python3
"""Stands in for a desktop's tray on a private bus: says what registers, and presses its menu.

Reads lines on standard input (`menu`, `press LABEL`) and answers each with a line of JSON.
"""

import json
import sys

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

WATCHER = "org.kde.StatusNotifierWatcher"
MENU = "com.canonical.dbusmenu"


class Watcher(dbus.service.Object):
    def __init__(self, bus):
        super().__init__(dbus.service.BusName(WATCHER, bus), "/StatusNotifierWatcher")
        self.bus = bus
        self.item = None

    @dbus.service.method(WATCHER, in_signature="s", sender_keyword="sender")
    def RegisterStatusNotifierItem(self, path, sender=None):
        self.item = (sender, path if path.startswith("/") else "/StatusNotifierItem")
        say({"registered": path})

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="ss", out_signature="v")
    def Get(self, _interface, name):
        return self.GetAll(_interface)[name]

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="s", out_signature="a{sv}")
    def GetAll(self, _interface):
        return {"IsStatusNotifierHostRegistered": True, "ProtocolVersion": dbus.Int32(0)}

    def property(self, name):
        sender, path = self.item
        item = dbus.Interface(self.bus.get_object(sender, path), dbus.PROPERTIES_IFACE)
        return item.Get("org.kde.StatusNotifierItem", name)

    def rows(self):
        sender, _ = self.item
        menu = dbus.Interface(self.bus.get_object(sender, self.property("Menu")), MENU)
        _, (_, _, children) = menu.GetLayout(0, -1, ["label", "enabled", "type"])
        return menu, [(int(id), str(said.get("label", ""))) for id, said, _ in children]


def say(answer):
    print(json.dumps(answer), flush=True)


def obey(watcher, line):
    word, _, rest = line.strip().partition(" ")
    if watcher.item is None:
        return say({"error": "nothing is registered"})
    menu, rows = watcher.rows()
    if word == "menu":
        return say({"status": str(watcher.property("Status")), "menu": [label for _, label in rows if label]})
    pressed = [id for id, label in rows if label == rest]
    if not pressed:
        return say({"error": f"no line {rest!r} in {rows}"})
    # The program may end before it answers.
    menu.Event(pressed[0], "clicked", "", 0, reply_handler=lambda: None, error_handler=lambda _: None)
    return say({"pressed": rest})


def main():
    DBusGMainLoop(set_as_default=True)
    watcher = Watcher(dbus.SessionBus())
    loop = GLib.MainLoop()

    def on_line(source, _condition):
        line = source.readline()
        if not line:
            loop.quit()
            return False
        try:
            obey(watcher, line)
        except dbus.DBusException as error:
            say({"error": str(error)})
        return True

    GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, on_line)
    say({"ready": True})
    loop.run()


main()
