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

/** Lifetime of links that open the portal. */
const entryMs = 3_600_000;

/** Lifetime of links to the page that emails a new portal link. Customer emails contain such links. */
const requestMs = 30 * 86_400_000;

type Addressee = Pick<Row<'Customer'>, 'id' | 'email'>;

/** Returns the subject of a link's token. The subject contains a hash of the email address, so that links stop working if the address changes. */
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
 * Returns a signed URL that opens the portal, valid for one hour. Used only in emails that a customer requested (PLT-116). A portal session
 * starts only when the customer opens the link. Runs no SQL statements.
 */
export const entryUrl = (ctx: Signing, customer: Addressee): Promise<string> =>
  signedUrl(ctx, entryPage, customer, entryMs);

/**
 * Returns a signed URL to the page that emails a new portal link to the customer, valid for 30 days (PLT-116). The URL itself doesn't open
 * the portal. Runs no SQL statements.
 */
export const requestUrl = (ctx: Signing, customer: Addressee): Promise<string> =>
  signedUrl(ctx, requestPage, customer, requestMs);

/** Customer who received a link. */
export type Addressed = { readonly ctx: Context; readonly customer: Row<'Customer'> };

/**
 * Returns the customer who received a link. `expired` if the link has expired. `null` if this installation didn't issue
 * the link, or if the customer was deleted or changed their email address.
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

/** Returns the customer who received a link to the email request page (see `requestUrl`). */
export const requesterOf = (
  app: Context['app'],
  token: string,
  requestId: string,
): Promise<Addressed | 'expired' | null> => addresseeOf(app, token, requestPage, requestId);

/** Returns the customer who received a link that opens the portal (see `entryUrl`). */
export const entrantOf = (
  app: Context['app'],
  token: string,
  requestId: string,
): Promise<Addressed | 'expired' | null> => addresseeOf(app, token, entryPage, requestId);
