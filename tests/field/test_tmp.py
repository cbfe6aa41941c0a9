from tests.field.test_terminal import *
def test_x(fight, terminal):
    w=terminal("table"); w.read_until("> ")
    w.type("move al"); w.type("\x03"); time.sleep(1); w._more(.1); print(repr(w.text))
    w.type("move alpha 1\r"); time.sleep(1); w._more(.1); print(repr(w.text)); w.type("\x04"); time.sleep(1); w._more(.1); print(repr(w.text)); print(w.process.poll())
    w.type("quit\r"); time.sleep(1); w._more(.1); print(repr(w.text)); print(w.process.poll())
    assert 0
