import { hashSecret } from '../../../platform/secrets.ts';
import type { App } from '../../../request/context.ts';
import type { AppClient, CodeRequest } from './rules.ts';

// Client IDs and pending authorization requests are signed and contain their details. Registrations are therefore not stored, so that mass
// registration uses no space, and the same registration always gets the same client ID.

const clientPage = 'oauth-client';
const requestPage = 'oauth-request';
/** Environment of a signed text that belongs to no environment. No environment has this ID. */
const noEnvironment = 'none';

/** Validity period of an authorization request, in which the member signs in and decides. */
const requestMs = 600_000;

/** Returns the client ID of an app. */
export const clientIdOf = ({ secrets }: App, client: AppClient): Promise<string> =>
  secrets.signPage({
    page: clientPage,
    environmentId: noEnvironment,
    subjectId: JSON.stringify([client.name, ...client.redirectUris]),
  });

/** Returns the app with a client ID. `null` if the client ID is invalid, or was signed with a secret that is no longer used. */
export async function readClient({ secrets }: App, clientId: string): Promise<AppClient | null> {
  const details = await secrets.readPage(clientId);
  if (details?.page !== clientPage) return null;
  const [name = '', ...redirectUris] = JSON.parse(details.subjectId) as string[];
  return { name, redirectUris };
}

export const hashClientId = (clientId: string): string => hashSecret(`client ${clientId}`);

/** Returns a signed authorization request for the page on which a member decides. Valid for 10 minutes. */
export const signRequest = ({ secrets, wall }: App, request: CodeRequest): Promise<string> =>
  secrets.signLink(
    { page: requestPage, environmentId: noEnvironment, subjectId: JSON.stringify(request) },
    new Date(wall.now().getTime() + requestMs),
  );

/** Returns a signed authorization request. `null` if it's invalid or has expired. */
export async function readRequest({ secrets, wall }: App, signed: string): Promise<CodeRequest | null> {
  const details = await secrets.readLink(signed, requestPage, wall.now());
  return details === null || details === 'expired' ? null : (JSON.parse(details.subjectId) as CodeRequest);
}
