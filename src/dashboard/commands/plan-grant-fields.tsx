import { dayStart } from '../../ui/format/dates.ts';
import { useCommandWords } from './fields.tsx';
import { DateField, NumberField, RadioGroup, TextField } from './lazy-fields.ts';

export type GrantSpan = {
  readonly duration: 'cycles' | 'until_date' | 'until_revoked';
  readonly cycles: number;
  readonly until: string | null;
  readonly reason: string;
};

export const initialSpan: GrantSpan = { duration: 'cycles', cycles: 1, until: null, reason: '' };

/** Returns the input for the duration and reason. `null` until the form is complete. */
export function spanInput({ duration, cycles, until, reason }: GrantSpan) {
  if (reason.trim() === '' || (duration === 'until_date' && until === null)) return null;
  return {
    duration,
    reason: reason.trim(),
    ...(duration === 'cycles' && { durationCycles: cycles }),
    ...(duration === 'until_date' && until !== null && { expiresAt: dayStart(until) }),
  };
}

type SpanFieldsProps = { readonly values: GrantSpan; readonly change: (part: Partial<GrantSpan>) => void };

export function SpanFields({ values, change }: SpanFieldsProps) {
  const { planGrantCreate: words } = useCommandWords();
  return (
    <>
      <RadioGroup
        label={words.duration}
        value={values.duration}
        onChange={(duration) => change({ duration: duration as GrantSpan['duration'] })}
        options={[
          { value: 'cycles', label: words.cycles },
          { value: 'until_date', label: words.untilDate },
          { value: 'until_revoked', label: words.untilRevoked },
        ]}
      />
      {values.duration === 'cycles' && (
        <NumberField
          name="durationCycles"
          label={words.count}
          minValue={1}
          maxValue={1000}
          value={values.cycles}
          onChange={(cycles) => change({ cycles })}
        />
      )}
      {values.duration === 'until_date' && (
        <DateField
          name="expiresAt"
          label={words.until}
          value={values.until}
          onChange={(until) => change({ until })}
        />
      )}
      <TextField
        name="reason"
        label={words.reason}
        maxLength={1000}
        value={values.reason}
        onChange={(reason) => change({ reason })}
      />
    </>
  );
}
