import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { App } from '../../../src/dashboard/app.tsx';
import { type Role, viewer } from '../../../src/dashboard/data/viewer.ts';
import { router } from '../../../src/dashboard/router.tsx';
import { isLimited } from '../../../src/domain/limits/member-roles.ts';
import accessTable from '../../access-table.txt?raw';
import { type Results, replaceNetwork, type Sent } from './network.ts';

/** Open dashboard in an emulated browser. */
export type OpenDashboard = {
  readonly user: ReturnType<typeof userEvent.setup>;
  /** Mutations that the dashboard sent. */
  readonly sent: readonly Sent[];
  /** Waits for the prompt about unsaved changes and presses one of its buttons. */
  readonly choose: (button: 'Discard changes' | 'Keep editing') => Promise<void>;
};

const person = {
  id: 'psn_1',
  name: 'Grace Hopper',
  email: 'grace@example.com',
  isEmailVerified: true,
  preferences: null,
};

/** Returns the mutations that a limited role can call in the sandbox, from the access table. */
const mutationsOf = (role: Role): string[] =>
  accessTable.split('\n').flatMap((line) => {
    const [, name] = /^mutation (\w+) /.exec(line) ?? [];
    const [, , , sandbox = ''] = line.split(' | ');
    return name !== undefined && sandbox.includes(` ${role}:++`) ? [name] : [];
  });

/** Initial transition function of the router, before a component replaces it. */
const { startTransition } = router;

/** Opens a sandbox page with the real components and documents. `results` contains the results of root fields. */
export async function openDashboard(
  path: string,
  results: Results = {},
  role: Role = 'owner',
): Promise<OpenDashboard> {
  const mutations = isLimited(role) ? mutationsOf(role) : null;
  const memberships = [{ organizationId: 'org_1', organizationName: 'Acme', role, mutations }];
  const sent = replaceNetwork({ viewer: person, memberships, ...results });
  viewer.set({ viewer: person, memberships });
  // Otherwise, the router would wait for components that an earlier test unmounted.
  router.startTransition = startTransition;
  router.history.replace(`/dashboard/sandbox${path}`);
  const user = userEvent.setup();
  render(<App />);
  await screen.findByRole('heading', { level: 1 });
  return {
    user,
    sent,
    choose: async (button) => {
      await screen.findByRole('alertdialog', { name: 'Discard changes?' });
      await user.click(screen.getByRole('button', { name: button }));
    },
  };
}
