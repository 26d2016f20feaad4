// Module that a test preloads into a process to cause unexpected failures.

process.on('SIGUSR2', () => {
  throw new Error('A provoked exception');
});
process.on('SIGHUP', () => {
  void Promise.reject(new Error('A provoked rejection'));
});
