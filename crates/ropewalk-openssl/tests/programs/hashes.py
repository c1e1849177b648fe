"""Digests of each name, and functions based on them, for comparison."""
import _hashlib, hashlib, hmac, ssl, sys, threading

print(sys.version.split()[0], ssl.OPENSSL_VERSION)
text = bytes(i * i % 251 for i in range(100_001))
for name in sys.argv[1:]:
    shakes = name.startswith("shake")
    hexdigest = lambda h: h.hexdigest(77) if shakes else h.hexdigest()
    for size in 0, 1, 55, 56, 64, 111, 112, 127, 128, 136, 1000, 100_001:
        whole = hashlib.new(name, text[:size])
        pieces = _hashlib.new(name)
        for at in range(0, size, 997):
            pieces.update(text[at:min(at + 997, size)])
            if at == 997:
                other = pieces.copy()
                other.update(b"another end")
                print(name, size, hexdigest(other))
        assert hexdigest(whole) == hexdigest(pieces) == hexdigest(pieces.copy())
        print(name, size, hexdigest(whole), whole.block_size, whole.digest_size)
        if shakes:
            print(whole.hexdigest(1), whole.hexdigest(1000), whole.name)
            continue
        code = hmac.new(b"a key", text[:size], name)
        code.update(b"more")
        print(code.hexdigest(), hmac.digest(b"k" * 200, text[:size], name).hex())
    if not shakes:
        print(name, hashlib.pbkdf2_hmac(name, b"password", b"salt", 10, 70).hex())

# Runs without the interpreter's lock.
def digest(seen):
    for _ in range(20):
        seen.append(hashlib.sha256(text).hexdigest())

seen = []
threads = [threading.Thread(target=digest, args=(seen,)) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert len(seen) == 160 and len(set(seen)) == 1
print(hashlib.scrypt(b"password", salt=b"salt", n=16, r=8, p=1, dklen=70).hex())
