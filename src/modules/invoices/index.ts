import './types/invoice.ts';
import './types/savings.ts';
import './types/totals.ts';
import './queries.ts';
import './mutations.ts';
import './live.ts';
