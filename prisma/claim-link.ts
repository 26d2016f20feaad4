import { QuittanceError } from '../src/domain/errors/errors.ts';
import { issueNamedClaimLink } from '../src/modules/organization/provisioning/issue-claim-link.ts';
import { systemClock } from '../src/platform/clock.ts';
import { readConfig } from '../src/platform/config.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { openDatabase } from '../src/platform/db/open.ts';
import { failStart } from '../src/start-errors.ts';

// Prints a new claim link: `npm run claim-link -- <organization id>`. Without an ID, the link is for the oldest organization.

const [id = null] = process.argv.slice(2);
try {
  const config = readConfig();
  const database = await openDatabase(config);
  try {
    await migrate(database);
    const issued = await issueNamedClaimLink({ config, database, wall: systemClock }, id);
    if (issued === null) {
      console.error('There is no such organization.');
      process.exitCode = 1;
    } else {
      console.log(`${issued.name}: ${issued.link.url}`);
      console.log('The link works once, for seven days; earlier ones have stopped working.');
    }
  } catch (error) {
    if (!(error instanceof QuittanceError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  } finally {
    await database.close();
  }
} catch (error) {
  failStart(error);
}
