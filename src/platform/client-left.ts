/** Why work for a request is given up: its client has left, so that nobody is there to answer and nothing has failed. */
export class ClientLeftError extends Error {
  override name = 'ClientLeftError';

  constructor() {
    super('The client left before the answer was complete.');
  }
}
