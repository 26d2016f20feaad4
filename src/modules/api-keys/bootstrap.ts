import type { App } from '../../context.ts';
import type { Transaction } from '../../platform/db/pool.ts';
import { hashSecret } from '../../platform/secrets.ts';
import { type EnvironmentRef, insertOrganization } from '../organizations/create.ts';
import { type MintedKey, mintKey } from './mint.ts';

/** The keys of an organization that was made at this start, to be shown once. */
export type FirstKeys = {
  readonly organizationId: string;
  readonly sandboxKey: string;
  readonly liveKey: string;
};

/** Another process made it between our look and our write; the transaction is given up. */
class MadeElsewhere extends Error {
  override name = 'MadeElsewhere';
}

/**
 * Makes sure that someone can call: with `BOOTSTRAP_API_KEY` an organization whose sandbox has exactly this key exists afterwards;
 * without it, and only in a database without any organization, a first organization is made and its keys are answered.
 * Answers null whenever no secret was invented. Several processes may start at once: one of them makes it.
 */
export async function bootstrap(app: App): Promise<FirstKeys | null> {
  const secret = app.config.bootstrapApiKey;
  try {
    if (secret === undefined)
      return await app.database.transaction((transaction) => makeFirst(app, transaction));
    await app.database.transaction((transaction) => makeWithKey(app, transaction, secret));
    return null;
  } catch (error) {
    if (error instanceof MadeElsewhere) return null;
    throw error;
  }
}

async function makeWithKey(app: App, transaction: Transaction, secret: string): Promise<void> {
  const known = await transaction.prisma.apiKeyHash.findUnique({ where: { hash: hashSecret(secret) } });
  if (known !== null) return;
  const now = app.wall.now();
  const { sandbox } = await insertOrganization(transaction, { name: 'Bootstrap organization' }, now);
  const minted = await mintKey(transaction, sandbox, { name: 'Bootstrap key', secret }, now);
  if (minted === null) throw new MadeElsewhere();
}

async function makeFirst(app: App, transaction: Transaction): Promise<FirstKeys | null> {
  const { prisma } = transaction;
  if ((await prisma.organization.findFirst({ select: { id: true } })) !== null) return null;
  // The row settles which of several starting processes makes the first organization; the others wait here and then find it.
  const claim = await prisma.setting.createMany({
    data: [{ name: 'first_organization', value: 'made' }],
    skipDuplicates: true,
  });
  if (claim.count === 0) return null;
  const now = app.wall.now();
  const { organization, live, sandbox } = await insertOrganization(
    transaction,
    { name: 'My organization' },
    now,
  );
  const mint = async (environment: EnvironmentRef, name: string): Promise<MintedKey> => {
    const minted = await mintKey(transaction, environment, { name }, now);
    if (minted === null) throw new Error('A random secret was drawn twice.');
    return minted;
  };
  return {
    organizationId: organization.id,
    sandboxKey: (await mint(sandbox, 'First sandbox key')).secret,
    liveKey: (await mint(live, 'First live key')).secret,
  };
}
