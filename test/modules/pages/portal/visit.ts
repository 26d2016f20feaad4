import { cards, openPortal } from '../../../support/factories.ts';
import { rejection } from '../../../support/refusals.ts';
import type { Story } from '../../../support/story.ts';

type Shown = Record<string, unknown>;

const bearer = (token: string) => ({ key: null, headers: { authorization: `Bearer ${token}` } });
/** Returns card details as a customer would enter them. */
export const card = (number: string = cards.pays) => ({ number, expMonth: 12, expYear: 2099, cvc: '123' });
const operation = (field: string, shown: string): string =>
  `mutation ($input: ${field.charAt(0).toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) { ${shown} } }`;

const previewed = (shown: string): string =>
  `query ($action: PortalActionInput!) { portalPreview(action: $action) { ${shown} } }`;

/** The customer's portal session in a test story. */
export class Visit {
  readonly #story: Story;
  readonly #token: string;
  constructor(story: Story, token: string) {
    this.#story = story;
    this.#token = token;
  }
  async do(field: string, input: object = {}, shown = 'status'): Promise<Shown> {
    const answer = await this.#story.shop.t.graphql<Record<string, Shown>>(
      operation(field, shown),
      { input },
      bearer(this.#token),
    );
    return answer[field] ?? {};
  }
  /** Returns the error code of an action, and asserts that nothing changed. */
  async rejected(field: string, input: object = {}, shown = 'status'): Promise<string> {
    return (await this.rejection(field, input, shown)).code;
  }
  /** Returns the error of an action that changes nothing. */
  rejection(field: string, input: object = {}, shown = 'status') {
    return rejection(this.#story.shop.t, operation(field, shown), { input }, bearer(this.#token));
  }
  /** Returns the error code of an action that recorded a declined attempt. */
  async declined(field: string, input: object = {}): Promise<string> {
    const { errors } = await this.#story.shop.t.graphqlFailure(
      operation(field, 'status'),
      { input },
      bearer(this.#token),
    );
    return String(errors[0]?.extensions['code']);
  }
  async preview(action: object, shown: string): Promise<Shown> {
    const { portalPreview } = await this.#story.shop.t.graphql<{ portalPreview: Shown }>(
      previewed(shown),
      { action },
      bearer(this.#token),
    );
    return portalPreview;
  }
  /** Returns the error code of a preview, and asserts that nothing changed. */
  async previewRejected(action: object): Promise<string> {
    return (await rejection(this.#story.shop.t, previewed('amountDue'), { action }, bearer(this.#token)))
      .code;
  }
  /** Returns the requested fields of the subscription. */
  async see(shown: string): Promise<Shown | null> {
    return (await this.portal(`subscription { ${shown} }`))['subscription'] as Shown | null;
  }
  /** Returns the requested fields of the portal. */
  async portal(shown: string): Promise<Shown> {
    const { portal } = await this.#story.shop.t.graphql<{ portal: Shown }>(
      `{ portal { ${shown} } }`,
      {},
      bearer(this.#token),
    );
    return portal;
  }
}

/** Opens the customer's portal in a test story. */
export async function visit(story: Story, externalId = 'ada'): Promise<Visit> {
  const { id } = await story.do<{ id: string }>('GET', `/customers/${externalId}`);
  return new Visit(story, await openPortal(story.shop, id));
}
