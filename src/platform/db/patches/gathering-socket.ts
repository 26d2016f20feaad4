import { Socket } from 'node:net';

/** Creates a socket that buffers writes and sends all data from one event loop turn with one system call. */
export function gatheringSocket(): Socket {
  const socket = new Socket();
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  let isGathering = false;
  const release = (): void => {
    isGathering = false;
    socket.uncork();
  };
  const gather = (...args: unknown[]): boolean => {
    if (!isGathering) {
      isGathering = true;
      socket.cork();
      process.nextTick(release);
    }
    return write(...args);
  };
  // Replaces the method only after the connection is established, because Node sets the method when it connects.
  return socket.once('connect', () => Object.assign(socket, { write: gather }));
}
