#!/usr/bin/python3
"""A Qt 6 application that signs its user in. It stays responsive, its button cancels the login, and Tokentry's window is
in front of its own. The arguments are those of tokentry login."""

import json
import sys

from PyQt6.QtCore import QProcess
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QApplication, QPushButton


class Button(QPushButton):
    def __init__(self):
        super().__init__()
        self.resize(320, 80)
        self.login = QProcess(self)
        self.login.setProcessChannelMode(QProcess.ProcessChannelMode.ForwardedErrorChannel)
        self.login.finished.connect(self.ended)
        self.login.errorOccurred.connect(self.failed)
        self.clicked.connect(self.pressed_once)
        self.show_state("not signed in")

    def show_state(self, text):
        self.setWindowTitle(f"Mail: {text}")
        self.setText("Sign in" if self.login.state() == QProcess.ProcessState.NotRunning else "Cancel")

    def pressed_once(self):
        if self.login.state() != QProcess.ProcessState.NotRunning:
            return self.login.terminate()
        options = sys.argv[1:]
        # Qt exports no Wayland handles.
        if QGuiApplication.platformName() == "xcb":
            options = [*options, "--parent", f"x11:{int(self.window().winId()):x}"]
        self.login.start("tokentry", ["login", *options])
        self.show_state("signing in")

    def ended(self, status, _):
        answer = json.loads(bytes(self.login.readAllStandardOutput()))
        if status == 0:  # answer["access_token"] is the token
            self.show_state("signed in")
        elif answer["error"] == "cancelled":  # the user knows about a cancellation
            self.show_state("cancelled")
        else:
            self.show_state(answer["error_description"])

    def failed(self, error):
        if error == QProcess.ProcessError.FailedToStart:
            self.show_state(self.login.errorString())


application = QApplication(sys.argv[:1])
button = Button()
button.show()
status = application.exec()
# Closing the window cancels the login.
button.login.finished.disconnect()
button.login.terminate()
button.login.waitForFinished()
sys.exit(status)
