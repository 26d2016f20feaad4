/** Abort reason for a request whose client has disconnected. The disconnect isn't treated as a failure. */
export class ClientLeftError extends Error {
  override name = 'ClientLeftError';

  constructor() {
    super('The client left before the answer was complete.');
  }
}
