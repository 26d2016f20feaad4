import type { ComponentType } from 'react';
import type { Document } from '../../ui/documents.ts';
import type { CommandPreviewQueryVariables } from '../parts/billing/previewed.graphql';
import type { SubscriptionTermsFragment } from '../parts/subscription/terms.graphql';
import type { Words } from '../words/words.ts';
import type { Amount } from './outcome.ts';

export type CommandWords = Words['commands'];

/** Input of a preview, which contains exactly one command. */
export type PreviewInput = CommandPreviewQueryVariables['command'];

/** Customer that a command applies to, and one of the customer's subscriptions if the command needs it. */
export type Subject = {
  readonly customer: {
    readonly id: string;
    readonly fullName: string;
    readonly email: string;
    /** Stored payment methods. Undefined if unknown. */
    readonly paymentMethods?: readonly object[];
    /** Remaining credits by currency. Undefined if unknown. */
    readonly creditBalance?: readonly { readonly amount: number }[];
  };
  readonly subscription: SubscriptionTermsFragment | null;
  /** ID of the object that the command applies to, such as a credit, an add-on or a transaction. */
  readonly target?: string | undefined;
};

export type FieldsProps<Values> = {
  readonly values: Values;
  readonly change: (part: Partial<Values>) => void;
  /** Sets values that the command determines itself. Doesn't mark the form as changed. */
  readonly fill: (part: Partial<Values>) => void;
  readonly subject: Subject;
  /** Rejection by the preview, with the name of the invalid API field. */
  readonly rejected?: { readonly param: string | null; readonly message: string } | null;
};

/** Result of a command, shown in its toast and dialog. */
export type Result = {
  /** URL of the created link, which the dialog shows. */
  readonly link?: string | undefined;
  /** Replaces the success toast with a warning if the command ran but the payment was declined. */
  readonly warning?: 'declined' | undefined;
  /** ID of the created subscription, which the toast links to. */
  readonly subscriptionId?: string | undefined;
};

/** Keys in the `commands` message catalog that are names of commands. The catalog also contains other messages. */
type Runnable = {
  readonly [Name in keyof CommandWords]: CommandWords[Name] extends {
    readonly title: string;
    readonly verb: string;
    readonly done: string;
  }
    ? Name
    : never;
}[keyof CommandWords];

/** Name of a command, which is also its key in the text catalog and its value in URLs. */
export type CommandName = Runnable;

/** A command: its form, input, preview, and mutation. Each command has its own file and is listed in `index.ts`. */
export type Command<Values = never, Input = never, Answer = never> = {
  readonly name: CommandName;
  readonly group: 'subscription' | 'money' | 'allowances' | 'links';
  /**
   * True if the command is available for the subject. The preview then checks whether the command is currently
   * possible.
   */
  readonly applies: (subject: Subject) => boolean;
  readonly initial: (subject: Subject) => Values;
  readonly Fields?: ComponentType<FieldsProps<Values>>;
  /** Input of the mutation. `null` until the form is complete. */
  readonly input: (values: Values, subject: Subject) => Input | null;
  /** Converts the mutation input to a preview input. Omitted if the command has no preview. */
  readonly preview?: (input: Input) => PreviewInput;
  /** Description of the command's effect, shown next to its form if the command has no preview. */
  readonly Consequence?: ComponentType<FieldsProps<Values>>;
  /** Button label with an amount, for a command without a preview. */
  readonly verb?: (values: Values, words: CommandWords, money: (amount: Amount) => string) => string | null;
  readonly document: Document<Answer, { readonly input: Input }>;
  readonly result?: (answer: Answer) => Result;
  readonly isDangerous?: boolean;
  /** False if a bulk action runs the command with its initial values and doesn't show its fields. */
  readonly bulkFields?: boolean;
  /** Environment where the command is available. Defaults to both environments. */
  readonly environment?: 'sandbox';
};

/** Command without its specific types, so that different commands can be in one list. */
// biome-ignore lint/suspicious/noExplicitAny: the values of one command never meet those of another.
export type AnyCommand = Command<any, any, any>;

/** Infers the type parameters of a command from its GraphQL document. */
export const defineCommand = <Values, Input, Answer>(
  command: Command<Values, Input, Answer>,
): Command<Values, Input, Answer> => command;

/** True if the subject's subscription has one of the given statuses. */
export const isIn = (subject: Subject, ...statuses: SubscriptionTermsFragment['status'][]): boolean =>
  subject.subscription !== null && statuses.includes(subject.subscription.status);

/** Returns the ID of the subscription. Throws if the subject has no subscription. Commands that need a subscription check this in `applies`. */
export function subscriptionId(subject: Subject): string {
  if (subject.subscription === null) throw new Error('The command needs a subscription.');
  return subject.subscription.id;
}
