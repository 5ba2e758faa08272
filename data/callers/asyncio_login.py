#!/usr/bin/python3
"""An asyncio program that signs its user in. Ctrl+C cancels the login and closes its window."""

import asyncio
import sys

import tokentry


async def main():
    options = dict(argument.split("=", 1) for argument in sys.argv[1:])
    try:
        token = await tokentry.start("login", **options)
    except tokentry.Failure as failure:
        sys.exit(f"not signed in: {failure}")
    print("signed in until", token.get("expires_at", "further notice"))


try:
    asyncio.run(main())
except KeyboardInterrupt:
    sys.exit("cancelled")
