// Deletes old rows in a loop until it gets the message `end`, then sends the number of deleted contents.
import { openWatchDatabase } from '../../dist/watch/storage/database.js';
import { prune } from '../../dist/watch/storage/pruning.js';

const database = await openWatchDatabase(process.argv[2]);
let now = 0;
let contents = 0;
let isDone = false;
process.on('message', (message) => {
  if (message === 'end') isDone = true;
  else now = message;
});
process.send('begun');
while (!isDone) {
  contents += (await prune(database, { before: now, now })).contents;
  await new Promise(setImmediate);
}
await database.db.close();
process.send(contents);
process.disconnect();
