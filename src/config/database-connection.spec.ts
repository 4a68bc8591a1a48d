import { connectionOf, ignorePostgresVariables } from './database-connection.js';

const misleading = {
  PGHOST: 'db.example.net',
  PGPORT: '6000',
  PGUSER: 'other',
  PGDATABASE: 'other',
  PGOPTIONS: '-c x=y',
};

describe('connectionOf', () => {
  it('should complete a URL without PG* variables', () => {
    Object.assign(process.env, misleading);
    expect(connectionOf('postgresql://keycard@db.example.com')).toEqual({
      host: 'db.example.com',
      port: 5432,
      user: 'keycard',
      database: 'keycard',
      password: '',
      ssl: false,
    });
  });

  it('should read a socket folder, a password with special characters and further options', () => {
    const url =
      'postgresql://keycard:p%40ss%2F@localhost:5433/main?host=%2Frun%2Fpostgresql&options=-c%20role%3Dservice';
    expect(connectionOf(url)).toEqual({
      host: '/run/postgresql',
      port: 5433,
      user: 'keycard',
      database: 'main',
      password: 'p@ss/',
      options: '-c role=service',
      ssl: false,
    });
  });

  it('should keep TLS, and not a second URL in the parameters', () => {
    const url =
      'postgresql://keycard@db.example.com/main?sslmode=verify-full&connectionString=postgresql%3A%2F%2Fother';
    const connection = connectionOf(url);
    expect(connection.ssl).toEqual({});
    expect(connection).not.toHaveProperty('connectionString');
  });
});

describe('ignorePostgresVariables', () => {
  it('should remove what pg would read, and name it', () => {
    Object.assign(process.env, misleading, { PGDATA: '/data' });
    expect(ignorePostgresVariables()).toBe(
      'Ignoring PGDATABASE, PGHOST, PGOPTIONS, PGPORT, PGUSER: Keycard reads only DATABASE_URL.',
    );
    expect(Object.keys(process.env).filter((name) => name.startsWith('PG'))).toEqual(['PGDATA']);
    expect(ignorePostgresVariables()).toBeUndefined();
    delete process.env['PGDATA'];
  });
});
