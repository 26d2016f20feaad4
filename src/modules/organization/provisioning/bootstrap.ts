import type { Transaction } from '../../../platform/db/pool.ts';
import { hashSecret } from '../../../platform/secrets.ts';
import type { App } from '../../../request/context.ts';
import { type MintedKey, mintKey } from '../api-keys/mint.ts';
import { type EnvironmentRef, insertOrganization } from '../organizations/create.ts';
import { type IssuedLink, issueClaimLink } from './issue-claim-link.ts';

/** Organization created at startup, with secrets that are printed only once. */
export type FirstOrganization = {
  readonly organizationId: string;
  /** Secrets of the new API keys. `null` if the `BOOTSTRAP_API_KEY` setting provides the key. */
  readonly keys: { readonly sandboxKey: string; readonly liveKey: string } | null;
  /** Claim link for the first owner. */
  readonly claim: IssuedLink;
};

/** Thrown if another process created the key between the lookup and the insert. Rolls back the transaction. */
class CreatedElsewhere extends Error {
  override name = 'CreatedElsewhere';
}

/**
 * Ensures that an API client can authenticate after the first start. With `BOOTSTRAP_API_KEY`, creates an organization whose sandbox has
 * this key, unless the key already exists. Without `BOOTSTRAP_API_KEY`, creates an organization only if the database is empty, and returns
 * the organization's keys. The organization gets a claim link. Returns `null` if no organization was created. Several processes can start
 * at the same time.
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
    if (error instanceof CreatedElsewhere) return null;
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
  if (minted === null) throw new CreatedElsewhere();
  const claim = await issueClaimLink(transaction, parts, organization.id);
  return { organizationId: organization.id, keys: null, claim };
}

async function makeFirst(parts: Parts, transaction: Transaction): Promise<FirstOrganization | null> {
  const { prisma } = transaction;
  if ((await prisma.organization.findFirst({ select: { id: true } })) !== null) return null;
  // The unique row ensures that only one process creates the first organization. Other processes wait here and then find the row.
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
