import { Checkbox } from '../../kit/choice.tsx';
import { Card, Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { useWords } from '../../words/words.ts';
import { useDeveloperWords } from './developer-words.ts';
import { permissionsByArea } from './key-permissions.ts';
import { PermissionTable } from './permission-table.tsx';

type ConnectPermissionsProps = {
  /** Scopes of the selected preset. */
  readonly scopes: readonly string[];
  /** Permissions that the app keeps. `null` keeps all permissions of the preset. */
  readonly selected: readonly string[] | null;
  readonly onChange: (permissions: readonly string[] | null) => void;
};

/** Selects the permissions of the preset that the app keeps. */
export function ConnectPermissions({ scopes, selected, onChange }: ConnectPermissionsProps) {
  const words = useWords('connect');
  const labels = useDeveloperWords();
  const held = permissionsByArea({ scopes });
  return (
    <Card title={labels.scopes}>
      <Stack gap={4}>
        <Checkbox
          isSelected={selected !== null}
          onChange={(isOn) => onChange(isOn ? held : null)}
          help={words.narrowAbout}
        >
          {words.narrow}
        </Checkbox>
        {selected !== null && <PermissionTable held={held} selected={selected} onChange={onChange} />}
        {selected?.length === 0 && <Text color="warning">{labels.noScopes}</Text>}
      </Stack>
    </Card>
  );
}
