import type { ComponentType } from 'react';
import type { Document } from '../../ui/documents.ts';
import type { CommandPreviewQueryVariables } from '../parts/billing/previewed.graphql';
import type { SubscriptionTermsFragment } from '../parts/subscription/terms.graphql';
import type { commands as words } from '../words/en/commands.ts';
import type { Amount } from './outcome.ts';

/** Words of the commands. */
export type CommandWords = typeof words;

/** The input of a preview: exactly one command with its input. */
export type PreviewInput = CommandPreviewQueryVariables['command'];

/** What a command is about: a customer, and the subscription, where there is one. */
export type Subject = {
  readonly customer: { readonly id: string; readonly fullName: string; readonly email: string };
  readonly subscription: SubscriptionTermsFragment | null;
  /** One part of it, where the command is about one: a credit, an add-on, a transaction. */
  readonly target?: string | undefined;
};

/** A subject with a subscription. */
export type Subscribed = Subject & { readonly subscription: SubscriptionTermsFragment };

/** What the fields of a command get. */
export type FieldsProps<Values> = {
  readonly values: Values;
  readonly change: (part: Partial<Values>) => void;
  readonly subject: Subject;
};

/** What came of a command, for the notice after it. */
export type Result = {
  /** A link to hand on; the dialog shows it. */
  readonly link?: string | undefined;
  /** Shown instead of the usual sentence, as a warning, where the command ran but did not do what was wanted. */
  readonly warning?: 'declined' | undefined;
  /** The address of the page of what was made. */
  readonly subscriptionId?: string | undefined;
};

/** The words of commands that run. */
type Runnable = {
  readonly [Name in keyof CommandWords]: CommandWords[Name] extends {
    readonly title: string;
    readonly verb: string;
    readonly done: string;
  }
    ? Name
    : never;
}[keyof CommandWords];

/** The name of a command: it has words, and stands in addresses. */
export type CommandName = Runnable;

/** A command: its form, its input, its preview, and its mutation. One file each; `index.ts` lists them. */
export type Command<Values = never, Input = never, Answer = never> = {
  readonly name: CommandName;
  readonly group: 'subscription' | 'money' | 'allowances' | 'links';
  /** Whether it can be meant for a subject; the preview says whether it is possible. */
  readonly applies: (subject: Subject) => boolean;
  readonly initial: (subject: Subject) => Values;
  readonly Fields?: ComponentType<FieldsProps<Values>>;
  /** The input of the mutation; null while the form is not complete. */
  readonly input: (values: Values, subject: Subject) => Input | null;
  /** The same input as a preview takes it, where there is one. */
  readonly preview?: (input: Input) => PreviewInput;
  /** What it leads to, where no preview says so: shown beside the form. */
  readonly Consequence?: ComponentType<FieldsProps<Values>>;
  /** The text of the button where it names an amount without a preview. */
  readonly verb?: (values: Values, words: CommandWords, money: (amount: Amount) => string) => string | null;
  readonly document: Document<Answer, { readonly input: Input }>;
  readonly result?: (answer: Answer) => Result;
  readonly isDangerous?: boolean;
  /** False where several rows at once take the command as it begins, without its fields. */
  readonly bulkFields?: boolean;
  /** The only environment it is offered in. */
  readonly environment?: 'sandbox';
};

/** A command whose types are known to itself only. */
// biome-ignore lint/suspicious/noExplicitAny: the values of one command never meet those of another.
export type AnyCommand = Command<any, any, any>;

/** Types a command by its document. */
export const defineCommand = <Values, Input, Answer>(
  command: Command<Values, Input, Answer>,
): Command<Values, Input, Answer> => command;

/** Whether the subject has a subscription in one of some states. */
export const isIn = (subject: Subject, ...statuses: SubscriptionTermsFragment['status'][]): boolean =>
  subject.subscription !== null && statuses.includes(subject.subscription.status);

/** The id of the subscription. Throws without one; commands that need it do not apply then. */
export function subscriptionId(subject: Subject): string {
  if (subject.subscription === null) throw new Error('The command needs a subscription.');
  return subject.subscription.id;
}
