import { ApiError } from './api-error.ts';
import { account } from './session.ts';

// Passkeys of the browser. What it is asked for and what it answers goes to the account service as it is.

/** Whether passkeys work where the page is open: browsers bind them to host names and know no IP addresses. */
export type PasskeySupport = 'ready' | 'address' | 'unsupported';

const isAddress = ({ hostname }: Location): boolean => /^[\d.]+$|^\[/.test(hostname);

export function passkeySupport(): PasskeySupport {
  if (isAddress(location)) return 'address';
  const { PublicKeyCredential: credential } = window as { PublicKeyCredential?: typeof PublicKeyCredential };
  return credential?.parseCreationOptionsFromJSON === undefined ? 'unsupported' : 'ready';
}

/** The same page under a name where passkeys work; null where the page is open at an address that others reach. */
export const namedAddress = (): string | null =>
  /^127\.|^\[::1\]$/.test(location.hostname) ? location.href.replace(location.hostname, 'localhost') : null;

/** What the browser or the service says against a passkey, as a code for people's words. */
function passkeyError(error: unknown): unknown {
  if (error instanceof DOMException)
    return new ApiError({
      code: error.name === 'InvalidStateError' ? 'passkey_known' : 'passkey_canceled',
      message: error.message,
    });
  const isRejected = error instanceof ApiError && ['validation_error', 'unauthorized'].includes(error.code);
  return isRejected ? new ApiError({ code: 'passkey_unknown', message: error.message }) : error;
}

/** Answers a challenge of the account service by the browser. Throws an ApiError where that does not happen. */
async function answer(
  challengePath: string,
  answerPath: string,
  ask: (challenge: object) => Promise<Credential | null>,
): Promise<void> {
  const challenge = await account<object>(challengePath, {});
  try {
    await account(answerPath, { response: (await ask(challenge)) as PublicKeyCredential | null });
  } catch (error) {
    throw passkeyError(error);
  }
}

/** Adds a passkey to the account of who has signed in. Throws `reauthentication_required` without a fresh proof of the person. */
export const addPasskey = (): Promise<void> =>
  answer('/passkey/generate-register-options', '/passkey/verify-registration', (challenge) =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
        challenge as PublicKeyCredentialCreationOptionsJSON,
      ),
    }),
  );

/** Signs in by a passkey; or proves again who has signed in. */
export const provePasskey = (): Promise<void> =>
  answer('/passkey/generate-authenticate-options', '/passkey/verify-authentication', (challenge) =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
        challenge as PublicKeyCredentialRequestOptionsJSON,
      ),
    }),
  );
