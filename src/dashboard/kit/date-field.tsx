import { type CalendarDate, parseAbsolute, parseDate, toCalendarDate } from '@internationalized/date';
import CalendarIcon from 'lucide-react/icons/calendar';
import ChevronLeftIcon from 'lucide-react/icons/chevron-left';
import ChevronRightIcon from 'lucide-react/icons/chevron-right';
import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import {
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
} from 'react-aria-components/Calendar';
import { DatePicker as AriaDatePicker, DateInput, DateSegment } from 'react-aria-components/DatePicker';
import { DateRangePicker } from 'react-aria-components/DateRangePicker';
import { Dialog } from 'react-aria-components/Dialog';
import { Group } from 'react-aria-components/Group';
import { Heading } from 'react-aria-components/Heading';
import { Popover as AriaPopover } from 'react-aria-components/Popover';
import { RangeCalendar } from 'react-aria-components/RangeCalendar';
import { cx } from './class-names.ts';
import styles from './date-field.module.css';
import { FieldLabel, FieldNotes, type FieldProps, splitField } from './field.tsx';
import inputStyles from './input.module.css';
import popoverStyles from './popover.module.css';
import { useKit } from './provider.tsx';

type Common = FieldProps & {
  readonly name?: string;
  readonly isDisabled?: boolean;
  readonly isRequired?: boolean;
};

const segments = (className: string, slot?: 'start' | 'end') => (
  <DateInput className={className} {...(slot !== undefined && { slot })}>
    {(segment) => <DateSegment segment={segment} className={styles.segment ?? ''} />}
  </DateInput>
);

function OpenButton() {
  const { words } = useKit();
  return (
    <AriaButton className={inputStyles.button ?? ''} aria-label={words.openCalendar}>
      <CalendarIcon />
    </AriaButton>
  );
}

const Surface = ({ children }: { readonly children: ReactNode }) => (
  <AriaPopover className={popoverStyles.popover ?? ''} offset={4}>
    <Dialog className={styles.calendar ?? ''}>{children}</Dialog>
  </AriaPopover>
);

function Month() {
  const { words } = useKit();
  return (
    <>
      <header className={styles.header}>
        <AriaButton slot="previous" className={styles.turn ?? ''} aria-label={words.previousMonth}>
          <ChevronLeftIcon />
        </AriaButton>
        <Heading className={styles.month ?? ''} />
        <AriaButton slot="next" className={styles.turn ?? ''} aria-label={words.nextMonth}>
          <ChevronRightIcon />
        </AriaButton>
      </header>
      <CalendarGrid className={styles.days ?? ''} weekdayStyle="short">
        <CalendarGridHeader>
          {(day) => <CalendarHeaderCell className={styles.weekday ?? ''}>{day}</CalendarHeaderCell>}
        </CalendarGridHeader>
        <CalendarGridBody>
          {(date) => <CalendarCell date={date} className={styles.day ?? ''} />}
        </CalendarGridBody>
      </CalendarGrid>
    </>
  );
}

const dayOf = (value: string | null | undefined): CalendarDate | null =>
  value === null || value === undefined || value === '' ? null : parseDate(value.slice(0, 10));

export type DateFieldProps = Common & {
  /** Selected date in the format `YYYY-MM-DD`. `null` if none is selected. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  readonly least?: string;
  readonly most?: string;
};

/** Field for a date, typed or selected in a calendar. Dates are in UTC, like billing periods. */
export function DateField({ value, onChange, least, most, ...rest }: DateFieldProps) {
  const { field, notes, props } = splitField(rest);
  const [minValue, maxValue] = [dayOf(least), dayOf(most)];
  return (
    <AriaDatePicker
      {...props}
      shouldForceLeadingZeros
      value={dayOf(value)}
      onChange={(date) => onChange(date === null ? null : date.toString())}
      {...(minValue !== null && { minValue })}
      {...(maxValue !== null && { maxValue })}
    >
      <FieldLabel {...field} />
      <Group className={inputStyles.box ?? ''}>
        {segments(cx(styles.input, styles.last))}
        <OpenButton />
      </Group>
      <FieldNotes {...notes} />
      <Surface>
        <Calendar className={styles.single ?? ''}>
          <Month />
        </Calendar>
      </Surface>
    </AriaDatePicker>
  );
}

export type DateTimeFieldProps = Common & {
  /** Selected date and time in ISO 8601 format. `null` if none is selected. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
};

/** Field for a date and time with minute precision. Shows and uses the kit's time zone. */
export function DateTimeField({ value, onChange, ...rest }: DateTimeFieldProps) {
  const { timeZone, now } = useKit();
  const { field, notes, props } = splitField(rest);
  return (
    <AriaDatePicker
      {...props}
      shouldForceLeadingZeros
      granularity="minute"
      hourCycle={24}
      placeholderValue={parseAbsolute(now().toISOString(), timeZone)}
      value={value === null ? null : parseAbsolute(new Date(value).toISOString(), timeZone)}
      onChange={(date) => onChange(date === null ? null : date.toDate().toISOString())}
    >
      <FieldLabel {...field} />
      <Group className={inputStyles.box ?? ''}>
        {segments(cx(styles.input, styles.last))}
        <OpenButton />
      </Group>
      <FieldNotes {...notes} />
      <Surface>
        <Calendar className={styles.single ?? ''}>
          <Month />
        </Calendar>
      </Surface>
    </AriaDatePicker>
  );
}

/** Date range in the format `YYYY-MM-DD`. Both dates are inclusive. */
export type DayRange = { readonly from: string; readonly until: string };

export type DateRangeFieldProps = Common & {
  readonly value: DayRange | null;
  readonly onChange: (value: DayRange | null) => void;
};

/** Field for a date range. Both dates are inclusive. */
export function DateRangeField({ value, onChange, ...rest }: DateRangeFieldProps) {
  const { field, notes, props } = splitField(rest);
  const [start, end] = [dayOf(value?.from), dayOf(value?.until)];
  return (
    <DateRangePicker
      {...props}
      shouldForceLeadingZeros
      value={start === null || end === null ? null : { start, end }}
      onChange={(range) =>
        onChange(
          range === null
            ? null
            : { from: toCalendarDate(range.start).toString(), until: toCalendarDate(range.end).toString() },
        )
      }
    >
      <FieldLabel {...field} />
      <Group className={inputStyles.box ?? ''}>
        {segments(cx(styles.input, styles.first), 'start')}
        <span aria-hidden="true">–</span>
        {segments(cx(styles.input, styles.last), 'end')}
        <OpenButton />
      </Group>
      <FieldNotes {...notes} />
      <Surface>
        <RangeCalendar>
          <Month />
        </RangeCalendar>
      </Surface>
    </DateRangePicker>
  );
}
