// Checks of windows in requests.
import type { FieldProblem } from '../errors/errors.ts';
import type { LimitRow, LimitWindow, LimitWindowKind } from './limit.ts';

const problem = (field: string, message: string): FieldProblem[] => [{ field, message }];

const longest = 44_640;

type Parameter = Exclude<keyof LimitWindow, 'kind'>;

/** Parameters of each kind of window. */
const parameters: { readonly [kind in LimitWindowKind]: readonly Parameter[] } = {
  event: [],
  rolling: ['minutes', 'steps'],
  session: ['minutes'],
  fixed: ['minutes', 'anchor'],
  day: ['timeZone'],
  week: ['timeZone', 'weekStart'],
  month: ['timeZone'],
  usage_window: [],
  billing_period: [],
  lifetime: [],
};

const within = (value: number | null, least: number, most: number): boolean =>
  value === null || (Number.isInteger(value) && value >= least && value <= most);

/** Returns the problems of a window. */
export function windowProblems({ window }: Pick<LimitRow, 'window'>): FieldProblem[] {
  const { kind, minutes, steps, weekStart } = window;
  const allowed = parameters[kind];
  const names: Parameter[] = ['minutes', 'steps', 'anchor', 'timeZone', 'weekStart'];
  const unused = names.find((name) => window[name] !== null && !allowed.includes(name));
  if (unused !== undefined)
    return problem(`window.${unused}`, `isn't used by windows of the kind \`${kind}\``);
  const least = kind === 'fixed' ? 60 : 1;
  if (allowed.includes('minutes') && (minutes === null || !within(minutes, least, longest)))
    return problem('window.minutes', `must be from ${least} to 44,640`);
  if (!within(steps, 12, 120)) return problem('window.steps', 'must be from 12 to 120');
  return within(weekStart, 1, 7) ? [] : problem('window.weekStart', 'must be from 1 to 7');
}
