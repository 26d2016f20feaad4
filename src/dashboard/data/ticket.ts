import { errorOf, type GraphqlError } from './api-error.ts';
import { base, environment, organization } from './place.ts';
import { LiveTicketCreateDocument } from './session.graphql';
import { renewed } from './session.ts';

type Answer = {
  readonly data?: { readonly liveTicketCreate?: { readonly ticket: string } | null } | null;
  readonly errors?: readonly GraphqlError[];
};

/** Returns a ticket that opens one socket for the organization and environment of this tab. Waits for a sign-in if the session has expired. */
export async function ticket(): Promise<string> {
  const chosen = organization.get();
  const response = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json',
      'x-quittance-csrf': '1',
      'x-environment': environment.get(),
      ...(chosen === null ? {} : { 'x-organization': chosen }),
    },
    body: JSON.stringify({ query: LiveTicketCreateDocument }),
  });
  const { data, errors = [] } = (await response.json()) as Answer;
  const made = data?.liveTicketCreate?.ticket;
  if (made !== undefined) return made;
  const error = errorOf(errors, response);
  if (error.code !== 'unauthorized') throw error;
  await renewed();
  return ticket();
}
