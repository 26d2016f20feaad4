import type { Context } from '../../context.ts';
import { specificError, validationError } from '../../domain/errors.ts';
import type { Config } from '../../platform/config.ts';
import { mintKey } from '../api-keys/mint.ts';
import { type EnvironmentRef, insertOrganization } from '../organizations/create.ts';
import { issueClaimLink } from './issue-claim-link.ts';

/** Throws `forbidden` where provisioning is switched off. */
export function demandProvisioning({ provisioning }: Pick<Config, 'provisioning'>): void {
  if (!provisioning) throw specificError('forbidden', 'provisioning_off');
}

/** What a program says of the organization it wants. */
export type ProvisionInput = {
  readonly name: string;
  readonly country: string;
  readonly businessType: string;
};

/** A provisioned organization with the secrets of its two keys. */
export type Provisioned = {
  readonly id: string;
  readonly name: string;
  readonly liveApiKey: string;
  readonly sandboxApiKey: string;
  readonly claimUrl: string;
  readonly claimExpiresAt: Date;
};

/**
 * Makes an organization, its two environments, a key of all scopes for each, and a claim link, all in the transaction that keeps the answer
 * under the caller's idempotency key (PLT-15). Throws `validation_error` for a call without such a key, which only WebSocket and GraphQL
 * without the header let through, and `forbidden` where provisioning is switched off.
 */
export async function provisionOrganization(
  { app, transaction }: Context,
  input: ProvisionInput,
): Promise<Provisioned> {
  demandProvisioning(app.config);
  if (transaction === null)
    throw validationError([{ field: 'Idempotency-Key', message: 'Idempotency-Key: a UUID is required.' }]);
  const now = app.wall.now();
  const { organization, live, sandbox } = await insertOrganization(
    transaction,
    { ...input, isProvisioned: true },
    now,
  );
  const mint = async (environment: EnvironmentRef, name: string): Promise<string> => {
    const minted = await mintKey(transaction, environment, { name }, now);
    if (minted === null) throw new Error('A random secret was drawn twice.');
    return minted.secret;
  };
  const link = await issueClaimLink(transaction, app, organization.id);
  return {
    id: organization.id,
    name: organization.name,
    liveApiKey: await mint(live, 'Live key'),
    sandboxApiKey: await mint(sandbox, 'Sandbox key'),
    claimUrl: link.url,
    claimExpiresAt: link.expiresAt,
  };
}
