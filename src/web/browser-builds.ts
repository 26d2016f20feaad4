import type { App } from '../request/context.ts';
import { type DevBuilds, openDevBuilds } from './dev-builds.ts';
import { readSite, type SiteBuild } from './site-files.ts';
import { type Builds, openBuilds, openWebBuilds, type WebBuilds } from './web-build.ts';

/** Builds that a process serves to browsers. */
export type BrowserBuilds = {
  /** Path of the service's public URL without a trailing slash. */
  readonly base: string;
  /** Development server of the dashboard. `null` unless the code is watched. */
  readonly dev: DevBuilds | null;
  /** Dashboard. `null` if the process doesn't serve it. */
  readonly dashboard: WebBuilds | null;
  /** Hosted pages. */
  readonly pages: WebBuilds;
  /** Documentation site. `null` if the process serves the documentation as Markdown only. */
  readonly docs: Builds<SiteBuild> | null;
  readonly close: () => void;
};

/** Opens the builds that the settings select. */
export function openBrowserBuilds(app: App): BrowserBuilds {
  const { config, log } = app;
  const base = new URL(config.publicUrl).pathname.replace(/\/+$/, '');
  const watches = config.dashboard === 'watch';
  const hasDashboard = config.dashboard !== 'off' && config.role !== 'worker';
  const dev = hasDashboard && watches ? openDevBuilds(app) : null;
  const dashboard = hasDashboard ? (dev ?? openWebBuilds({ name: 'dashboard', log, watches: false })) : null;
  // A process without a dashboard might not serve hosted pages either, so the pages are built only on the first request.
  const pages = openWebBuilds({ name: 'pages', log, watches, isLazy: dashboard === null });
  const docs = hasDashboard
    ? openBuilds(
        { name: 'docs', log, watches, isLazy: true },
        { command: ['src/build-site.ts'], read: (folder) => readSite(folder, base) },
      )
    : null;
  return {
    base,
    dev,
    dashboard,
    pages,
    docs,
    close: () => {
      dashboard?.close();
      pages.close();
      docs?.close();
    },
  };
}
