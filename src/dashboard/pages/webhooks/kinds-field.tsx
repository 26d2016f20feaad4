import { Checkbox, RadioGroup } from '../../kit/choice.tsx';
import { Columns, Stack } from '../../kit/layout.tsx';
import { Heading, Text } from '../../kit/text.tsx';
import { kindGroups, kinds } from '../../parts/events/event-kinds.ts';
import type { EventKind } from './page.graphql';
import { useWebhookWords } from './webhook-words.ts';

type KindsFieldProps = {
  readonly value: readonly EventKind[];
  readonly onChange: (value: readonly EventKind[]) => void;
};

/** Selects the event types that an endpoint receives. */
export function KindsField({ value, onChange }: KindsFieldProps) {
  const words = useWebhookWords();
  const isAll = value.length === kinds.length;
  const turn = (kind: EventKind, isOn: boolean) =>
    onChange(isOn ? [...value, kind] : value.filter((each) => each !== kind));
  return (
    <Stack gap={3}>
      <RadioGroup
        label={words.kinds}
        value={isAll ? 'all' : 'chosen'}
        onChange={(choice) => onChange(choice === 'all' ? kinds.map((each) => each.value) : [])}
        options={[
          { value: 'all', label: words.kindsAll },
          { value: 'chosen', label: words.kindsChosen },
        ]}
      />
      {!isAll && (
        <Columns count={2} gap={4}>
          {kindGroups.map(([title, members]) => (
            <Stack key={title} gap={1}>
              <Heading level={3} size="sm">
                {title}
              </Heading>
              {members.map((kind) => (
                <Checkbox
                  key={kind.value}
                  isSelected={value.includes(kind.value)}
                  onChange={(isOn) => turn(kind.value, isOn)}
                >
                  {kind.name}
                </Checkbox>
              ))}
            </Stack>
          ))}
        </Columns>
      )}
      {value.length === 0 && <Text color="warning">{words.kindsNone}</Text>}
    </Stack>
  );
}
