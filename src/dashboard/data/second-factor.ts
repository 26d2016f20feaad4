import { account, readSession } from './session.ts';

// One-time codes of an app beside the password.

/** What an app makes codes from, and codes for the day it is lost; shown once. */
export type CodeSetup = { readonly totpURI: string; readonly backupCodes: readonly string[] };

/** Whether a sign-in of the person needs a code. Throws an ApiError when the service does not answer. */
export const hasCodes = async (): Promise<boolean> => (await readSession())?.user.twoFactorEnabled === true;

/** Makes the secret of an app. It counts once a first code was typed. */
export const beginCodes = (currentPassword: string): Promise<CodeSetup> =>
  account('/two-factor/enable', { currentPassword });

/** Proves a code: of the app, or a recovery code, each of which works once. It ends a sign-in, or confirms a new app. */
export const proveCode = (code: string, isRecovery: boolean): Promise<unknown> =>
  account(`/two-factor/${isRecovery ? 'verify-backup-code' : 'verify-totp'}`, { code });

/** Replaces the recovery codes. */
export const renewRecoveryCodes = async (currentPassword: string): Promise<readonly string[]> =>
  (await account<Pick<CodeSetup, 'backupCodes'>>('/two-factor/generate-backup-codes', { currentPassword }))
    .backupCodes;

/** Lets the password alone sign in again. */
export const removeCodes = (currentPassword: string): Promise<unknown> =>
  account('/two-factor/disable', { currentPassword });
