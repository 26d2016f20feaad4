import {
  InputFieldBuilder,
  type InputFieldMap,
  type InputRef,
  type InputShapeFromFields,
} from '@pothos/core';
import type { DeclaredError } from '../../../../graphql/declare/field-errors.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { CheckoutCardInput } from '../../checkout/mutations.ts';
import { type ActionOnShown, portalAction } from '../derive-action.ts';
import { sessionToken } from '../types/session-token.ts';
import { PortalSubscription } from '../types/subscription.ts';

/** Builder of the fields for a portal mutation's input. */
export const inputField = new InputFieldBuilder(builder, 'InputObject');

export const optionalCard = {
  type: CheckoutCardInput,
  rule: { nullable: true },
  description:
    "Card to charge and to store as the new payment method. Defaults to the stored card. If the card requires authentication, the purchase isn't made. Complete `portalCardAuthenticate`, then retry without `card`.",
} as const;

export const paymentMethod = {
  rule: { pattern: /^(?:pm|tok_sandbox)_[A-Za-z0-9_]+$/, maxLength: 200, nullable: true },
  description:
    'ID of the payment method (`pm_…`) that Stripe returned to the page. Use instead of `card`. Required for a new card if the subscription has a `publishableKey`.',
} as const;

/** Fields for a card to charge instead of the stored card. */
export const cardFields = () => ({
  card: inputField.field(optionalCard),
  paymentMethod: inputField.string(paymentMethod),
});

/** Input type whose fields have the given shape. */
type InputOf<Shape> = InputRef<Shape> & { readonly $inferInput: Shape };

/** Declares the input type of a portal mutation. The session token is added to the fields. */
export const portalInput = <F extends InputFieldMap>(name: string, description: string, fields: F) =>
  builder.inputType(name, {
    description,
    fields: (t) => ({ token: t.string(sessionToken), ...fields }),
    // The cast hides the token, which identifies the session before the mutation runs.
  }) as unknown as InputOf<InputShapeFromFields<F>>;

type PortalMutation<F extends InputFieldMap, Input, Result> = ActionOnShown<
  InputOf<InputShapeFromFields<F>>,
  Input,
  Result
> & {
  /** Description of the input type. */
  readonly parameters: string;
  readonly fields: F;
  readonly description: string;
  readonly errors: readonly DeclaredError[];
};

/**
 * Declares a portal mutation that executes an operation on the shown subscription and returns the subscription, with its input type. Returns the
 * action.
 */
export function portalMutation<F extends InputFieldMap, Input, Result>(
  name: string,
  { parameters, fields, description, errors, ...action }: PortalMutation<F, Input, Result>,
) {
  const typeName = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const declared = portalAction({ ...action, input: portalInput(typeName, parameters, fields) });
  builder.mutationField(name, (t) =>
    t.operation(declared, { type: PortalSubscription, description, errors, access: { page: 'portal' } }),
  );
  return declared;
}
