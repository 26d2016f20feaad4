/** What is wrong with fields, by their names. */
export type Problems = Readonly<Record<string, string>>;

/** How the steps of a page stand. */
export type State = {
  readonly isBusy: boolean;
  /** What is being done; null while nothing is. */
  readonly working: string | null;
  readonly alert: string | null;
  readonly problems: Problems;
  /** Whether the payment was declined. */
  readonly isDeclined: boolean;
  /** The element that gets the focus next. */
  readonly focus: { readonly id: string } | null;
};

/** What went wrong, said at the button. */
export const complaint = (alert: string): Partial<State> => ({ alert, focus: { id: 'alert' } });
