#!/usr/bin/python3
"""A Qt 6 application that signs its user in. It stays responsive, its button cancels the login, and Tokentry's window is
in front of its own. The arguments are those of tokentry login."""

import sys

import tokentry
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

    def ended(self, status, end):
        status = status if end == QProcess.ExitStatus.NormalExit else -1
        try:
            tokentry.result(status, bytes(self.login.readAllStandardOutput()))  # its access_token is the token
            self.show_state("signed in")
        except tokentry.Failure as failure:
            self.show_state("cancelled" if failure.is_cancelled else str(failure))

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
