import { account, readSession } from './session.ts';

// One-time codes from an authenticator app, required in addition to the password.

/** Secret for an authenticator app, and recovery codes. Both are shown only once. */
export type CodeSetup = { readonly totpURI: string; readonly backupCodes: readonly string[] };

/** True if the user needs a one-time code to sign in. Throws an `ApiError` if the service doesn't respond. */
export const hasCodes = async (): Promise<boolean> => (await readSession())?.user.twoFactorEnabled === true;

/** Creates the secret for an authenticator app. The secret takes effect after the first code is verified. */
export const beginCodes = (currentPassword: string): Promise<CodeSetup> =>
  account('/two-factor/enable', { currentPassword });

/** Verifies a code from the app, or a single-use recovery code. Completes a sign-in or the setup of an app. */
export const proveCode = (code: string, isRecovery: boolean): Promise<unknown> =>
  account(`/two-factor/${isRecovery ? 'verify-backup-code' : 'verify-totp'}`, { code });

/** Replaces all recovery codes. */
export const renewRecoveryCodes = async (currentPassword: string): Promise<readonly string[]> =>
  (await account<Pick<CodeSetup, 'backupCodes'>>('/two-factor/generate-backup-codes', { currentPassword }))
    .backupCodes;

/** Turns off one-time codes, so that a password alone is sufficient to sign in. */
export const removeCodes = (currentPassword: string): Promise<unknown> =>
  account('/two-factor/disable', { currentPassword });
