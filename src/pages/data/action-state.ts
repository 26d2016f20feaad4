/** Validation errors by field name. */
export type Problems = Readonly<Record<string, string>>;

/** State of a page's actions. */
export type State = {
  readonly isBusy: boolean;
  /** Text shown for the running action. `null` if no action is running. */
  readonly working: string | null;
  readonly alert: string | null;
  readonly problems: Problems;
  /** True if the last payment was declined. */
  readonly isDeclined: boolean;
  /** Element that receives the focus next. */
  readonly focus: { readonly id: string } | null;
};

/** Returns the state with an error message next to the button. */
export const complaint = (alert: string): Partial<State> => ({ alert, focus: { id: 'alert' } });
