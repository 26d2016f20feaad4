import { ApiError } from './api-error.ts';
import { account } from './session.ts';

// Passkeys in the browser. Requests and responses are passed to the account service unchanged.

/** Whether the page's URL supports passkeys. Browsers bind passkeys to host names and don't support IP addresses. */
export type PasskeySupport = 'ready' | 'address' | 'unsupported';

const isAddress = ({ hostname }: Location): boolean => /^[\d.]+$|^\[/.test(hostname);

export function passkeySupport(): PasskeySupport {
  if (isAddress(location)) return 'address';
  const { PublicKeyCredential: credential } = window as { PublicKeyCredential?: typeof PublicKeyCredential };
  return credential?.parseCreationOptionsFromJSON === undefined ? 'unsupported' : 'ready';
}

/** URL of the same page with a host name that supports passkeys. `null` if the page isn't open at a loopback address. */
export const namedAddress = (): string | null =>
  /^127\.|^\[::1\]$/.test(location.hostname) ? location.href.replace(location.hostname, 'localhost') : null;

/** Converts a browser error or a rejection by the account service to an `ApiError` with a passkey code. */
function passkeyError(error: unknown): unknown {
  if (error instanceof DOMException)
    return new ApiError({
      code: error.name === 'InvalidStateError' ? 'passkey_known' : 'passkey_canceled',
      message: error.message,
    });
  const isRejected = error instanceof ApiError && ['validation_error', 'unauthorized'].includes(error.code);
  return isRejected ? new ApiError({ code: 'passkey_unknown', message: error.message }) : error;
}

/** Signs a challenge from the account service with a passkey and sends the result. Throws an `ApiError` if either step fails. */
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

/**
 * Adds a passkey to the signed-in user's account. Throws `reauthentication_required` if the user hasn't confirmed their
 * identity recently.
 */
export const addPasskey = (): Promise<void> =>
  answer('/passkey/generate-register-options', '/passkey/verify-registration', (challenge) =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
        challenge as PublicKeyCredentialCreationOptionsJSON,
      ),
    }),
  );

/** Signs in with a passkey, or confirms the identity of the signed-in user. */
export const provePasskey = (): Promise<void> =>
  answer('/passkey/generate-authenticate-options', '/passkey/verify-authentication', (challenge) =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
        challenge as PublicKeyCredentialRequestOptionsJSON,
      ),
    }),
  );
