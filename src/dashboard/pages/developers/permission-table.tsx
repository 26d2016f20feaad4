import { areas, scopes } from '../../../domain/limits/permissions.ts';
import { Checkbox } from '../../kit/choice.tsx';
import { Table } from '../../kit/table.tsx';
import { Hidden } from '../../kit/text.tsx';
import { useDeveloperWords } from './developer-words.ts';

type PermissionTableProps = {
  /** Selected permissions, such as `usage:write`. */
  readonly selected: readonly string[];
  readonly onChange: (permissions: readonly string[]) => void;
  /** Permissions that can be selected. Defaults to all permissions. */
  readonly held?: readonly string[];
};

/** Table of areas and scopes in which the permissions of an API key are selected. */
export function PermissionTable({ selected, onChange, held }: PermissionTableProps) {
  const words = useDeveloperWords();
  return (
    <Table
      label={words.scopes}
      rows={areas}
      rowKey={(area) => area}
      columns={[
        { id: 'area', title: words.area, cell: (area) => words.areaNames[area] },
        ...scopes.map((scope) => ({
          id: scope,
          title: words.scope[scope],
          cell: (area: (typeof areas)[number]) => {
            const permission = `${area}:${scope}`;
            if (held?.includes(permission) === false) return null;
            return (
              <Checkbox
                isSelected={selected.includes(permission)}
                onChange={(isOn) =>
                  onChange(isOn ? [...selected, permission] : selected.filter((each) => each !== permission))
                }
              >
                <Hidden>
                  {words.permissionOf({ scope: words.scope[scope], area: words.areaNames[area] })}
                </Hidden>
              </Checkbox>
            );
          },
        })),
      ]}
    />
  );
}
