import { loadRow } from '../../../graphql/reading/loaders.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { hashSecret } from '../../../platform/secrets.ts';
import { type Context, findSystemContext } from '../../../request/context.ts';

/**
 * Page names in tokens: one for links that open the portal, and one for links to the page that emails a
 * portal link.
 */
const entryPage = 'portal_entry';
const requestPage = 'portal_request';

/** Lifetime of a link that opens the portal. */
const entryMs = 3_600_000;

/** Lifetime of a link to the page that emails a new portal link. Customer emails contain such links. */
const requestMs = 30 * 86_400_000;

type Addressee = Pick<Row<'Customer'>, 'id' | 'email'>;

/** Returns the subject of a link's token. It contains a hash of the email address, so that links stop working if the address changes. */
const subjectOf = ({ id, email }: Addressee): string => `${id} ${hashSecret(email).slice(0, 32)}`;

type Signing = Pick<Context, 'app' | 'environment' | 'wall'>;

async function signedUrl(
  { app, environment, wall }: Signing,
  page: string,
  customer: Addressee,
  validMs: number,
): Promise<string> {
  const second = Math.floor(wall.now().getTime() / 1_000) * 1_000;
  const details = { page, environmentId: environment.id, subjectId: subjectOf(customer) };
  return `${app.config.publicUrl}/manage/${await app.secrets.signLink(details, new Date(second + validMs))}`;
}

/**
 * Returns a signed URL that opens the portal, valid for an hour. Used only in emails that a customer
 * requested (PLT-116). A session is opened only when the customer opens the link. Runs no statements.
 */
export const entryUrl = (ctx: Signing, customer: Addressee): Promise<string> =>
  signedUrl(ctx, entryPage, customer, entryMs);

/**
 * Returns a signed URL of the page that emails a new portal link to the customer, valid for 30 days (PLT-116). It doesn't open the portal.
 * Runs no statements.
 */
export const requestUrl = (ctx: Signing, customer: Addressee): Promise<string> =>
  signedUrl(ctx, requestPage, customer, requestMs);

/** Customer that a link was sent to. */
export type Addressed = { readonly ctx: Context; readonly customer: Row<'Customer'> };

/**
 * Returns the customer that a link was sent to. `expired` if the link has expired. `null` if this installation didn't issue the link, or
 * the customer was deleted or changed their email address.
 */
async function addresseeOf(
  app: Context['app'],
  token: string,
  page: string,
  requestId: string,
): Promise<Addressed | 'expired' | null> {
  const details = await app.secrets.readLink(token, page, app.wall.now());
  if (details === null || details === 'expired') return details;
  const ctx = await findSystemContext(app, details.environmentId, requestId);
  if (ctx === null) return null;
  const [id = ''] = details.subjectId.split(' ');
  const customer = await loadRow(ctx, 'Customer', id);
  if (customer?.deletedAt !== null || subjectOf(customer) !== details.subjectId) return null;
  return { ctx, customer };
}

/** Returns the customer that a link to the email request page was sent to (see `requestUrl`). */
export const requesterOf = (
  app: Context['app'],
  token: string,
  requestId: string,
): Promise<Addressed | 'expired' | null> => addresseeOf(app, token, requestPage, requestId);

/** Returns the customer of a link that opens the portal. See `entryUrl`. */
export const entrantOf = (
  app: Context['app'],
  token: string,
  requestId: string,
): Promise<Addressed | 'expired' | null> => addresseeOf(app, token, entryPage, requestId);
