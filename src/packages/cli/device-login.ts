import { spawn } from 'node:child_process';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { Quittance } from '../sdk/index.ts';
import { isConnectionError, Rejected } from './output.ts';
import type { Session } from './session.ts';

/** API key that a sign-in created. */
export type LoginKey = {
  readonly id: string;
  readonly apiKey: string;
  readonly name: string;
  readonly expiresAt: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly livemode: boolean;
};

type Codes = {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly verificationUrl: string;
  readonly expiresInSeconds: number;
  readonly intervalSeconds: number;
};

type Result = {
  readonly status: 'pending' | 'too_fast' | 'denied' | 'expired' | 'approved';
  readonly key: LoginKey | null;
};

const startText = `mutation DeviceLoginStart($input: DeviceLoginStartInput!) {
  deviceLoginStart(input: $input) { deviceCode userCode verificationUrl expiresInSeconds intervalSeconds }
}`;

const completeText = `mutation DeviceLoginComplete($input: DeviceLoginCompleteInput!) {
  deviceLoginComplete(input: $input) {
    status
    key { id apiKey name expiresAt organizationId organizationName livemode }
  }
}`;

/** Returns the command that opens a URL. `null` if the machine has no screen. */
function openerOf(url: string): readonly [string, ...string[]] | null {
  if (process.platform === 'darwin') return ['open', url];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url];
  const hasScreen = Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
  return hasScreen ? ['xdg-open', url] : null;
}

/** Opens a web page in the browser. Does nothing if that isn't possible, because the address is also printed. */
function openBrowser(url: string): void {
  // The service sends the URL, so other kinds of addresses must not reach the operating system.
  const opener = /^https?:$/.test(URL.parse(url)?.protocol ?? '') ? openerOf(new URL(url).href) : null;
  if (opener === null) return;
  const [program, ...parameters] = opener;
  const child = spawn(program, parameters, { detached: true, stdio: 'ignore' });
  child.on('error', () => undefined);
  child.unref();
}

/** Removes control characters, and cuts the name at the maximum length of a name. */
const nameOf = (text: string): string =>
  text
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .slice(0, 200);

const expired = (): Rejected =>
  new Rejected('The code has expired. No API key was stored. Run `quittance login` again.');

/** Requests the API key until a member approves or denies the sign-in, or the code expires. */
async function pollForKey(client: Quittance, codes: Codes): Promise<LoginKey> {
  const until = performance.now() + codes.expiresInSeconds * 1_000;
  let intervalMs = codes.intervalSeconds * 1_000;
  while (performance.now() < until) {
    await wait(intervalMs);
    const input = { deviceCode: codes.deviceCode };
    const result = await client
      .graphql<{ deviceLoginComplete: Result }>(completeText, { input })
      .catch((error: unknown) => {
        // The service may be restarting. The code remains valid.
        if (isConnectionError(error)) return null;
        throw error;
      });
    const { status, key } = result?.deviceLoginComplete ?? { status: 'pending', key: null };
    if (key !== null) return key;
    if (status === 'denied') throw new Rejected('The sign-in was denied. No API key was stored.');
    if (status === 'expired') throw expired();
    if (status === 'too_fast') intervalMs += 1_000;
  }
  throw expired();
}

type Options = {
  /** Defaults to the name of the machine. */
  readonly machineName: string | undefined;
  readonly opensBrowser: boolean;
};

/**
 * Signs in with the browser: prints a code and an address, and waits until a member approves the sign-in there (AGT-40). Throws if the
 * sign-in is denied, or if the code expires.
 */
export async function loginInBrowser(
  { baseUrl, print }: Session,
  { machineName, opensBrowser }: Options,
): Promise<LoginKey> {
  // The client has no key, so that a stored key that expired isn't sent.
  const client = new Quittance({ baseUrl });
  const name = nameOf(machineName ?? '') || nameOf(hostname()) || 'Command line';
  const { deviceLoginStart: codes } = await client.graphql<{ deviceLoginStart: Codes }>(startText, {
    input: { machineName: name },
  });
  const { userCode, verificationUrl, expiresInSeconds } = codes;
  print(
    { userCode, verificationUrl, expiresInSeconds },
    [
      `Your code: ${userCode}`,
      `Open ${verificationUrl}`,
      'Check that the page shows the same code, then approve the sign-in. The code expires in 10 minutes.',
    ].join('\n'),
  );
  if (opensBrowser) openBrowser(verificationUrl);
  return pollForKey(client, codes);
}
