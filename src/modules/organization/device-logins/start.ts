import { randomInt } from 'node:crypto';
import { newId, newSecret } from '../../../platform/ids.ts';
import { hashSecret } from '../../../platform/secrets.ts';
import type { Context } from '../../../request/context.ts';

/** Codes of a new sign-in. The database stores only their hashes. */
export type LoginCodes = {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly verificationUrl: string;
  readonly expiresInSeconds: number;
  readonly intervalSeconds: number;
};

/** Validity period of the codes, in real time. */
const validS = 600;

/** Time between two requests of the command line. */
export const intervalS = 2;

/** Consonants without similar letters, so that codes contain no words (RFC 8628, section 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const half = 4;

const randomLetters = (): string =>
  Array.from({ length: half }, () => letters[randomInt(letters.length)]).join('');

/** Returns the hash of a code that a person entered. Case, spaces, and hyphens don't matter. */
export const hashUserCode = (entered: string): string =>
  hashSecret(`user code ${entered.toUpperCase().replace(/[^A-Z]/g, '')}`);

/** Starts the sign-in of a command line (AGT-40). Creates no API key. The codes are valid for 10 minutes. */
export async function startLogin({ app }: Context, machineName: string): Promise<LoginCodes> {
  const createdAt = app.wall.now();
  const deviceCode = newSecret('');
  const userCode = `${randomLetters()}-${randomLetters()}`;
  await app.database.prisma.deviceLogin.create({
    data: {
      id: newId('dlg'),
      deviceCodeHash: hashSecret(deviceCode),
      userCodeHash: hashUserCode(userCode),
      machineName,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + validS * 1_000),
    },
  });
  return {
    deviceCode,
    userCode,
    verificationUrl: `${app.config.publicUrl}/dashboard/sandbox/device?user_code=${userCode}`,
    expiresInSeconds: validS,
    intervalSeconds: intervalS,
  };
}
