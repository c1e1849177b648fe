"""A side of a connection: it sends its input, and prints what it receives; the server receives first."""
import socket, ssl, sys

role, port, version, suite, cert, key, to_server, to_client = sys.argv[1:]
port, to_server, to_client = int(port), int(to_server), int(to_client)
is_server = role == "server"

context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER if is_server else ssl.PROTOCOL_TLS_CLIENT)
versions = {"tls1_2": ssl.TLSVersion.TLSv1_2, "tls1_3": ssl.TLSVersion.TLSv1_3}
context.minimum_version = context.maximum_version = versions[version]
# For TLS 1.3, only the other side selects them.
context.set_ciphers("DEFAULT:@SECLEVEL=0" if version == "tls1_3" else suite + ":@SECLEVEL=0")
if is_server:
    context.load_cert_chain(cert, key)
else:
    context.load_verify_locations(cert)


def hear(connection, size):
    while size > 0:
        piece = connection.recv(min(size, 10_000))
        assert piece, "the other side has ended"
        sys.stdout.buffer.write(piece)
        size -= len(piece)
    sys.stdout.buffer.flush()


def say(connection, size):
    sizes = 1, 16_384, 777, 20_000, 15
    turn = 0
    while size > 0:
        piece = sys.stdin.buffer.read(min(size, sizes[turn % len(sizes)]))
        connection.sendall(piece)
        size -= len(piece)
        turn += 1


if is_server:
    with socket.create_server(("127.0.0.1", port)) as listener:
        connection, _ = listener.accept()
    with context.wrap_socket(connection, server_side=True) as connection:
        hear(connection, to_server)
        say(connection, to_client)
        assert connection.recv(1) == b""
else:
    with context.wrap_socket(socket.create_connection(("127.0.0.1", port)), server_hostname="127.0.0.1") as connection:
        assert version == "tls1_2" or connection.cipher()[0] == suite
        say(connection, to_server)
        hear(connection, to_client)
        sys.stdin.buffer.read()
        connection.unwrap()
