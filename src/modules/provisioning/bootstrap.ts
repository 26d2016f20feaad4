import type { App } from '../../context.ts';
import type { Transaction } from '../../platform/db/pool.ts';
import { hashSecret } from '../../platform/secrets.ts';
import { type MintedKey, mintKey } from '../api-keys/mint.ts';
import { type EnvironmentRef, insertOrganization } from '../organizations/create.ts';
import { type IssuedLink, issueClaimLink } from './issue-claim-link.ts';

/** An organization that was made at this start, with what is shown once. */
export type FirstOrganization = {
  readonly organizationId: string;
  /** Keys that were made; null where the setting names the key. */
  readonly keys: { readonly sandboxKey: string; readonly liveKey: string } | null;
  /** Where a person takes over the organization. */
  readonly claim: IssuedLink;
};

/** Another process made it between our look and our write; the transaction is given up. */
class MadeElsewhere extends Error {
  override name = 'MadeElsewhere';
}

/**
 * Makes sure that someone can call: with `BOOTSTRAP_API_KEY` an organization whose sandbox has exactly this key exists afterwards;
 * without it, and only in a database without any organization, a first organization is made and its keys are answered. Either can be claimed by
 * a link. Answers null where no organization was made. Several processes may start at once: one of them makes it.
 */
export async function bootstrap(
  app: Pick<App, 'config' | 'database' | 'wall'>,
): Promise<FirstOrganization | null> {
  const secret = app.config.bootstrapApiKey;
  try {
    return await app.database.transaction((transaction) =>
      secret === undefined ? makeFirst(app, transaction) : makeWithKey(app, transaction, secret),
    );
  } catch (error) {
    if (error instanceof MadeElsewhere) return null;
    throw error;
  }
}

type Parts = Pick<App, 'config' | 'wall'>;

async function makeWithKey(
  parts: Parts,
  transaction: Transaction,
  secret: string,
): Promise<FirstOrganization | null> {
  const known = await transaction.prisma.apiKeyHash.findUnique({ where: { hash: hashSecret(secret) } });
  if (known !== null) return null;
  const now = parts.wall.now();
  const { organization, sandbox } = await insertOrganization(
    transaction,
    { name: 'Bootstrap organization' },
    now,
  );
  const minted = await mintKey(transaction, sandbox, { name: 'Bootstrap key', secret }, now);
  if (minted === null) throw new MadeElsewhere();
  const claim = await issueClaimLink(transaction, parts, organization.id);
  return { organizationId: organization.id, keys: null, claim };
}

async function makeFirst(parts: Parts, transaction: Transaction): Promise<FirstOrganization | null> {
  const { prisma } = transaction;
  if ((await prisma.organization.findFirst({ select: { id: true } })) !== null) return null;
  // The row settles which of several starting processes makes the first organization; the others wait here and then find it.
  const made = await prisma.setting.createMany({
    data: [{ name: 'first_organization', value: 'made' }],
    skipDuplicates: true,
  });
  if (made.count === 0) return null;
  const now = parts.wall.now();
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
    keys: {
      sandboxKey: (await mint(sandbox, 'First sandbox key')).secret,
      liveKey: (await mint(live, 'First live key')).secret,
    },
    claim: await issueClaimLink(transaction, parts, organization.id),
  };
}
