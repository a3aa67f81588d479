// A free port for a process that listens some seconds later.
import { createServer } from 'node:net'

// Below the ports that the system gives to outgoing connections (from 32768 on Linux): one of those may be taken by then.
const [FIRST, END] = [20_000, 32_000]

const isFree = (port) =>
  new Promise((answer) => {
    const server = createServer()
    server.on('error', () => answer(false))
    server.listen(port, '127.0.0.1', () => server.close(() => answer(true)))
  })

/** A free port of this machine. */
export async function freePort() {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (END - FIRST))
    if (await isFree(port)) return port
  }
}
