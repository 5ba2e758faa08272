#!/usr/bin/python3
"""An asyncio program that signs its user in. Ctrl+C cancels the login and closes its window. The arguments are those of
tokentry login."""

import asyncio
import sys

import tokentry


async def main():
    try:
        token = await tokentry.start("login", *sys.argv[1:])
    except tokentry.Failure as failure:
        sys.exit(f"not signed in: {failure}")
    print("signed in until", token.get("expires_at", "further notice"))


try:
    asyncio.run(main())
except KeyboardInterrupt:
    sys.exit("cancelled")
