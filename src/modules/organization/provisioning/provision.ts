import { specificError, validationError } from '../../../domain/errors/errors.ts';
import type { Config } from '../../../platform/config.ts';
import type { Context } from '../../../request/context.ts';
import { mintKey } from '../api-keys/mint.ts';
import { type EnvironmentRef, insertOrganization } from '../organizations/create.ts';
import { issueClaimLink } from './issue-claim-link.ts';

/** Throws `forbidden` if provisioning is turned off. */
export function demandProvisioning({ provisioning }: Pick<Config, 'provisioning'>): void {
  if (!provisioning) throw specificError('forbidden', 'provisioning_off');
}

export type ProvisionInput = {
  readonly name: string;
  readonly country: string;
  readonly businessType: string;
};

/** Provisioned organization with the secrets of its two API keys. */
export type Provisioned = {
  readonly id: string;
  readonly name: string;
  readonly liveApiKey: string;
  readonly sandboxApiKey: string;
  readonly claimUrl: string;
  readonly claimExpiresAt: Date;
};

/**
 * Creates an organization with two environments, an API key with all scopes for each environment, and a claim link. Runs in the transaction
 * that stores the response under the caller's idempotency key (PLT-15). Throws `forbidden` if provisioning is turned off, and
 * `validation_error` if the request has no idempotency key, which is possible only with GraphQL or WebSocket.
 */
export async function provisionOrganization(
  { app, transaction }: Context,
  input: ProvisionInput,
): Promise<Provisioned> {
  demandProvisioning(app.config);
  if (transaction === null)
    throw validationError([
      { field: 'Idempotency-Key', message: 'The Idempotency-Key header is required and must be a UUID.' },
    ]);
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
