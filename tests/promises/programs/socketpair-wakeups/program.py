# SPDX-License-Identifier: GPL-2.0
# asyncio's event loop is woken up through a socket pair for each result of a thread.
import asyncio
import threading


async def main():
    loop = asyncio.get_running_loop()
    for i in range(6000):
        future = loop.create_future()
        asked.append(future)
        ready.release()
        await future
    asked.append(None)
    ready.release()


def answer():
    while True:
        ready.acquire()
        future = asked.pop()
        if future is None:
            return
        future.get_loop().call_soon_threadsafe(future.set_result, 1)


asked, ready = [], threading.Semaphore(0)
thread = threading.Thread(target=answer)
thread.start()
asyncio.run(main())
thread.join()
