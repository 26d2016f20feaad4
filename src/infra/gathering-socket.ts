import { Socket } from 'node:net';

/** A socket that sends what is written in one go of the program, several statements mostly, by one call of the system. */
export function gatheringSocket(): Socket {
  const socket = new Socket();
  let isGathering = false;
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  const release = (): void => {
    isGathering = false;
    socket.uncork();
  };
  return Object.assign(socket, {
    write: (...args: unknown[]): boolean => {
      if (!isGathering) {
        isGathering = true;
        socket.cork();
        process.nextTick(release);
      }
      return write(...args);
    },
  });
}
