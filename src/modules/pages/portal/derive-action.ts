import type { CommandInput } from '../../../engine/execute.ts';
import type { Operation } from '../../../engine/operation.ts';
import type { Context } from '../../../request/context.ts';
import type { SubscriptionRow } from '../../subscriptions/subscriptions/store.ts';
import { isProvided, type ProvidedCard, reread, shownSubscription, storeCard } from './pay.ts';
import { demandOffered, type PortalSetting } from './store.ts';

/** Operation on the customer's subscription. */
type OperationOnShown<Input, Result> = Operation<
  Input,
  SubscriptionRow,
  (input: Input, subscription: SubscriptionRow, ctx: Context) => CommandInput,
  Result
>;

/** Declaration of a portal action. `I` is the input type of the action, and `Input` is the input of the operation. */
export type ActionOnShown<I extends { readonly $inferInput: object }, Input, Result> = {
  /** Setting that allows the action. Absent if the action is always available. */
  readonly setting?: PortalSetting;
  readonly operation: OperationOnShown<Input, Result>;
  /** Returns the input of the operation, including the subscription or customer of the portal session. */
  readonly as: (subscription: SubscriptionRow, input: I['$inferInput']) => Input;
  /** Returns the card to store before the command. If the card requires authentication, the command isn't executed. */
  readonly card?: (input: I['$inferInput']) => ProvidedCard;
  /** Throws an error for input that the operation allows but the portal doesn't. */
  readonly check?: (ctx: Context, subscription: SubscriptionRow, input: I['$inferInput']) => Promise<void>;
};

/** Action of a customer in the portal. */
export type PortalAction<Input> = {
  /** Returns the command of the action for a preview. Throws the same errors as the action's check. */
  readonly commandFor: (ctx: Context, subscription: SubscriptionRow, input: Input) => Promise<CommandInput>;
};

/**
 * Derives an action of the portal from an operation, for the subscription that the portal shows. The action has the same command and the
 * same errors as the operation. Throws `forbidden` if the organization turned off the action, and `subscription_not_found`.
 */
export function portalAction<I extends { readonly $inferInput: object }, Input, Result>({
  input: inputType,
  setting,
  operation,
  as,
  card,
  check,
}: ActionOnShown<I, Input, Result> & { readonly input: I }) {
  type Given = I['$inferInput'];
  const perform = async (ctx: Context, input: Given): Promise<{ id: string; result: Result | null }> => {
    if (setting !== undefined) await demandOffered(ctx, setting);
    const subscription = await shownSubscription(ctx);
    const { id } = subscription;
    await check?.(ctx, subscription, input);
    const provided = card?.(input) ?? {};
    if (isProvided(provided) && !(await storeCard(ctx, subscription, provided))) return { id, result: null };
    return { id, result: await operation.executeFor(ctx, subscription, as(subscription, input)) };
  };
  return {
    input: inputType,
    commandFor: async (ctx: Context, subscription: SubscriptionRow, input: Given): Promise<CommandInput> => {
      await check?.(ctx, subscription, input);
      return operation.command(as(subscription, input), subscription, ctx);
    },
    /** Performs the action and returns the result of the operation. `null` if the card requires authentication first. */
    perform,
    /** Performs the action and returns the updated subscription. */
    execute: async (ctx: Context, input: Given): Promise<SubscriptionRow> =>
      reread(ctx, (await perform(ctx, input)).id),
  };
}
