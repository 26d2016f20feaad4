import { Socket } from 'node:net';

/** A socket that sends what is written in one go of the program, several statements mostly, by one call of the system. */
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
  // Connecting puts Node's own method in the place of any other one.
  return socket.once('connect', () => Object.assign(socket, { write: gather }));
}
